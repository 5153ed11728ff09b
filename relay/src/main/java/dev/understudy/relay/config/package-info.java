/**
 * Settings of the two proxies: a YAML file, environment variables and flags on top, read into records.
 *
 * <pre>
 *   file ──▶ YamlFile ──▶ Section ──▶ Value ──▶ record
 *   UNDERSTUDY_… ─▶ Overrides ─▲         └────▶ Problems (all of them, with line and column)
 *   --set …      ─▶            │
 * </pre>
 *
 * <p>Nothing starts on a wrong file: every problem is collected first, then {@link
 * dev.understudy.relay.config.Problems#throwIfAny} ends the start with all of them.
 */
@NullMarked
package dev.understudy.relay.config;

import org.jspecify.annotations.NullMarked;
