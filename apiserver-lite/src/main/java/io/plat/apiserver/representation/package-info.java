/**
 * Representations of objects, lists, watch events and failures, and their negotiation (specification, "Content negotiation"): JSON, YAML,
 * protobuf, tables and metadata only.
 *
 * <p>A representation maps stored objects to bytes, independent of connections and storage.
 */
@NullMarked
package io.plat.apiserver.representation;

import org.jspecify.annotations.NullMarked;
