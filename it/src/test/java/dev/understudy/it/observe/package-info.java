/**
 * The observatory's commands beside a service that really stalls.
 */
package dev.understudy.it.observe;
