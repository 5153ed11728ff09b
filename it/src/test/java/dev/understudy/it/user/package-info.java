/**
 * What users have before them: the commands that the documents show, the console, and the containers.
 */
@NullMarked
package dev.understudy.it.user;

import org.jspecify.annotations.NullMarked;
