/**
 * Authorization of a server: the flags for modes and their files, and the structured configuration of Kubernetes ({@code
 * --authorization-config}), a file that lists authorizers in order, possibly several webhooks, each with CEL match conditions.
 *
 * <p>The file is validated as a whole, with each problem at its line; a changed file replaces the last good one entirely or not at all.
 * Members are combined by {@link io.plat.engine.union.StructuredUnion}, never by the union of modes. May depend on the engine, the
 * metrics, the command line and the CEL library; does not depend on the HTTP server.
 */
@NullMarked
package io.plat.authorization;

import org.jspecify.annotations.NullMarked;
