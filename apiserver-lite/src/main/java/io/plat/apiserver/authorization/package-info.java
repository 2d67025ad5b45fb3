/**
 * The field's structured configuration of authorization ({@code --authorization-config}): a file that lists authorizers in their
 * order, several webhooks among them, each with conditions in CEL on the requests that it is asked about.
 *
 * <p>The file is read and judged as a whole, with every problem at its line; a changed one takes the place of the last good one whole or
 * not at all. Members are combined by {@link io.plat.engine.union.StructuredUnion}, never by the union of modes. May depend on the
 * engine, the metrics and the CEL library; knows no HTTP server.
 */
@NullMarked
package io.plat.apiserver.authorization;

import org.jspecify.annotations.NullMarked;
