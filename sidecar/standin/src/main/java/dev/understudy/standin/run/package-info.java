/**
 * Plays a service by its model: an HTTP/1.1 server that answers alike, and takes as long.
 */
@NullMarked
package dev.understudy.standin.run;

import org.jspecify.annotations.NullMarked;
