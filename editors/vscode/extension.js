"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The client that runs, if one does. */
let client;

/** Start the server that the settings name, and say how to get it where it does not start. */
async function start() {
  const command = vscode.workspace.getConfiguration("ggp").get("command") || "ggp";
  const documentSelector = ["file", "untitled"].flatMap((scheme) => [
    { scheme, language: "kif" },
    { scheme, language: "hrf" },
  ]);
  const server = { command, args: ["lsp"] };
  client = new LanguageClient("ggp", "GDL rule sheets", server, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    const hint = "Install it with: pip install 'ggp[lsp]', or set ggp.command.";
    vscode.window.showErrorMessage(`'${command} lsp' does not start: ${error.message}. ${hint}`);
  }
}

/** End the server. */
async function stop() {
  const running = client;
  client = undefined;
  if (running && running.needsStop()) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("ggp.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("ggp.command")) {
        return restart();
      }
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
