/** Figures as Markdown. */
@NullMarked
package dev.understudy.it.bench.report;

import org.jspecify.annotations.NullMarked;
