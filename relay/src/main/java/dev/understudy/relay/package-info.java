/**
 * Moving bytes: listen, relay, tap, lane, window, deliver.
 */
@NullMarked
package dev.understudy.relay;

import org.jspecify.annotations.NullMarked;
