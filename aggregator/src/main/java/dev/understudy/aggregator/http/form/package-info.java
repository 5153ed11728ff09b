/**
 * Which HTTP requests count as the same: {@link dev.understudy.aggregator.http.form.FormRule} says what counts, {@link
 * dev.understudy.aggregator.http.form.HttpForms} makes the form by it. The HTTP version never counts.
 */
@NullMarked
package dev.understudy.aggregator.http.form;

import org.jspecify.annotations.NullMarked;
