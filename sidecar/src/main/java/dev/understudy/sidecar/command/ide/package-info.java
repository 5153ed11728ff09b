/**
 * {@code understudy ide}: run configurations with which an IDE's debugger reaches the debug JVM, and what a breakpoint
 * there costs.
 *
 * <pre>
 *  IdeCommand ─▶ DebuggerAddress ─┬─▶ IntellijRun ─▶ .run/*.run.xml
 *       │                         └─▶ VsCodeLaunch ▶ .vscode/launch.json
 *       └─▶ BreakpointAdvice ◀── /v1/status
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.command.ide;

import org.jspecify.annotations.NullMarked;
