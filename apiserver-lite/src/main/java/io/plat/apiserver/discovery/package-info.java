/**
 * What is served: the types that {@code --runtime-config} leaves switched on, and the documents from which clients learn about
 * them ({@code /api}, {@code /apis} and what is below, plain and aggregated).
 *
 * <p>Everything is derived from the catalog once, at the start. Knows no HTTP server; may depend on
 * {@code io.plat.apiserver.type}.
 */
@NullMarked
package io.plat.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
