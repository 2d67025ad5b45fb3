/**
 * The forms in which objects, lists, watch events and failures leave the server, and which of them a client gets
 * (specification, "Content negotiation"): JSON, YAML, the binary envelope, tables and metadata alone.
 *
 * <p>A form turns what storage holds into bytes; it knows neither connections nor storage.
 */
@NullMarked
package io.plat.apiserver.representation;

import org.jspecify.annotations.NullMarked;
