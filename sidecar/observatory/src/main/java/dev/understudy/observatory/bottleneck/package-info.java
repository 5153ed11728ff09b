/**
 * Very short bottlenecks: windows in which requests queued, the tier where that began, and the resource before it.
 */
@NullMarked
package dev.understudy.observatory.bottleneck;

import org.jspecify.annotations.NullMarked;
