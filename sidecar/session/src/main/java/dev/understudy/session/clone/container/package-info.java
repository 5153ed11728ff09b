/**
 * Containers as their runtimes know them, and what a copy of one is made of.
 */
@NullMarked
package dev.understudy.session.clone.container;

import org.jspecify.annotations.NullMarked;
