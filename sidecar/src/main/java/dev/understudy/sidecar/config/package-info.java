/**
 * What the sidecar is told: records with sensible defaults, checked as they are made, and how each is read from its
 * section of the file. Nothing here runs.
 */
@NullMarked
package dev.understudy.sidecar.config;

import org.jspecify.annotations.NullMarked;
