/**
 * The goals for Maven.
 */
@NullMarked
package dev.understudy.maven;

import org.jspecify.annotations.NullMarked;
