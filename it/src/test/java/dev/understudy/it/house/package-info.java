/** What the product's sources have to keep to beyond what the build checks: their names, and their lines' lengths. */
@NullMarked
package dev.understudy.it.house;

import org.jspecify.annotations.NullMarked;
