/**
 * The sampler: what the kernel says of a host and its processes, many times a second, into a bounded folder.
 */
@NullMarked
package dev.understudy.observatory.node;

import org.jspecify.annotations.NullMarked;
