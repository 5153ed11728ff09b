/**
 * Tests of the search for very short bottlenecks, and the simulation that it is measured with.
 */
package dev.understudy.observatory.bottleneck;
