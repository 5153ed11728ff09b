/**
 * Starts and stops everything that takes part, each as a process of its own on free loopback ports.
 *
 * <pre>
 *  clients ─▶ sidecar ─▶ production ─▶ aggregator ─▶ Database · Cache · pricing
 *                └─────▶ debug ──────▶ aggregator (answers from its journal)
 * </pre>
 */
@NullMarked
package dev.understudy.example.demo.stage;

import org.jspecify.annotations.NullMarked;
