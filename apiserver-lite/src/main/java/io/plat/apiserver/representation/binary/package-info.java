/**
 * Protobuf representation of objects: the envelope, and the conversion between JSON and messages.
 *
 * <p>No class is made for a type. Each message has a plan, a few lines of {@code plans.txt}: field numbers, which are those of
 * Kubernetes' protobuf descriptors, with names and types in JSON and the fields whose zero differs from their absence. A test derives
 * that file from the descriptors and the JSON schemas. Both directions stream from bytes to bytes. Input is bounded in size and depth,
 * and anything malformed is a {@link io.plat.review.status.StatusException}, never another exception.
 *
 * <p>Depends on Jackson's streaming layer, protobuf's streams and the Status object; independent of HTTP and storage.
 */
@NullMarked
package io.plat.apiserver.representation.binary;

import org.jspecify.annotations.NullMarked;
