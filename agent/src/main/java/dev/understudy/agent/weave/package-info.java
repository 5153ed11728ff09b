/**
 * Puts place-holders into the application's own classes while they are loaded.
 *
 * <pre>
 *   class file ──▶ WeavingTransformer ──▶ ApplicationCode (ours to weave?) ──▶ Weaver ──▶ BracketVisitor ──▶ class file
 *                                                                               └──▶ ProbeDirectory (numbers, names)
 * </pre>
 */
@NullMarked
package dev.understudy.agent.weave;

import org.jspecify.annotations.NullMarked;
