/**
 * The network that a copy lives in, and the redirects that bring production's traffic to sidecar and aggregator.
 */
@NullMarked
package dev.understudy.session.network;

import org.jspecify.annotations.NullMarked;
