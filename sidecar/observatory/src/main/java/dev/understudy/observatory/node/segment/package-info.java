/**
 * Samples on their way to a bounded folder of CSV files.
 */
@NullMarked
package dev.understudy.observatory.node.segment;

import org.jspecify.annotations.NullMarked;
