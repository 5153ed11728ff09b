/**
 * What values of JSON look like: types, lengths, ranges and how many there are, without any value itself.
 */
@NullMarked
package dev.understudy.standin.value;

import org.jspecify.annotations.NullMarked;
