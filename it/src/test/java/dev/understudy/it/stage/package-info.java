/**
 * What end-to-end tests stand on: programs as a user starts them, real servers, and a sidecar between two of those.
 */
@NullMarked
package dev.understudy.it.stage;

import org.jspecify.annotations.NullMarked;
