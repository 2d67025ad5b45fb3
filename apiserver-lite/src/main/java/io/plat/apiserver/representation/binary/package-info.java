/**
 * The binary representation of objects: the envelope, and the translation between an object's JSON form and its message.
 *
 * <p>No class is made for a type. Each message has a plan, compiled once from three tables: {@code messages.txt} (field
 * numbers, taken from the field's protobuf descriptors and held to them by a test), the schemas of the JSON form, and
 * {@code zero-values.txt} (the fields whose zero says something else than their absence, which neither of the others knows).
 * {@code further-types.json} adds the versions and types that the schemas leave out. Both directions stream from bytes to
 * bytes. What comes in is bounded in size and depth, and anything malformed is a
 * {@link io.plat.review.status.StatusException}, never another exception.
 *
 * <p>Depends on Jackson's streaming layer and on the Status object; knows neither HTTP nor storage.
 */
@NullMarked
package io.plat.apiserver.representation.binary;

import org.jspecify.annotations.NullMarked;
