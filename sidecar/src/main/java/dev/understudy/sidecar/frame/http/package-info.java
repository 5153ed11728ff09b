/**
 * HTTP/1.1 as lanes see it.
 */
@NullMarked
package dev.understudy.sidecar.frame.http;

import org.jspecify.annotations.NullMarked;
