/**
 * Discovery: the types that {@code --runtime-config} selects, and the discovery documents ({@code /api}, {@code /apis} and below, plain
 * and aggregated).
 *
 * <p>Derived from the catalog once, at startup. Does not depend on the HTTP server; may depend on {@code io.plat.apiserver.type}.
 */
@NullMarked
package io.plat.apiserver.discovery;

import org.jspecify.annotations.NullMarked;
