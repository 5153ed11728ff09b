/**
 * Tests of the sampler and of what is concluded from samples.
 */
package dev.understudy.observatory;
