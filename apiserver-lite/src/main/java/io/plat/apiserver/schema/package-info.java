/**
 * Schemas: fields, kinds of lists, merge keys, defaults, constraints. One class, {@link io.plat.apiserver.schema.TypeSchema}, describes
 * built-in and custom types for patches, apply, validation and expressions. Also field paths and the messages of validation errors.
 * Depends on JSON trees only.
 */
@NullMarked
package io.plat.apiserver.schema;

import org.jspecify.annotations.NullMarked;
