import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { newQueryClient } from "./api/query";
import { App } from "./app";
import { preload } from "./pages";
import "./theme.css";

preload(location.pathname);

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={newQueryClient()}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
