/**
 * Real clients, unmodified, through the sidecar, with a real server on either side.
 */
@NullMarked
package dev.understudy.it.clients;

import org.jspecify.annotations.NullMarked;
