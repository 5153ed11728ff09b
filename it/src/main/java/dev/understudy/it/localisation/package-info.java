/**
 * Published bugs of other projects, each run as production and as debug JVM under the sidecar and the agent, and where
 * the method that was fixed stands among the suspects.
 *
 * <pre>
 * examples/bugs/ID/bug.yaml ─▶ Bug ─▶ Jars (Maven, javac) ─▶ Trial ─▶ Outcome ─▶ table
 *                                                        └─▶ Proof ─▶ whether the fixed version is without it
 *                               └▶ Traffic ─▶ Asker (HTTP, Redis) ──┘
 * </pre>
 */
@NullMarked
package dev.understudy.it.localisation;

import org.jspecify.annotations.NullMarked;
