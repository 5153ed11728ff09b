/**
 * Exchanges and samples as tables: segments of Parquet in a bounded folder, and SQL over them.
 *
 * <p>Any program that reads Parquet can read the folder; only these classes write to it.
 */
@NullMarked
package dev.understudy.observatory.store;

import org.jspecify.annotations.NullMarked;
