/**
 * Containers, as Docker's and Podman's command lines describe them.
 */
@NullMarked
package dev.understudy.session.target.engine;

import org.jspecify.annotations.NullMarked;
