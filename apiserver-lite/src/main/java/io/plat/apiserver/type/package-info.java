/**
 * Definition of a resource type: names and verbs, the identity of its objects in storage, schema, traits and columns; and schema-driven
 * pruning and validation. Types are data; a new type is a row in {@code resource-catalog.json}. {@link
 * io.plat.apiserver.type.ApiErrors} has the failures that name a type.
 *
 * <p>May depend on {@code tree}, {@code rules}, {@code schema}, {@code apply} and {@code storage}.
 */
@NullMarked
package io.plat.apiserver.type;

import org.jspecify.annotations.NullMarked;
