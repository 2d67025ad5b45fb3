/**
 * Schemas: fields, kinds of lists, merge keys, defaults, constraints. One class, {@link io.plat.apiserver.schema.TypeSchema}, describes
 * built-in and custom types; patches, apply, validation and expressions know no other description. Also the paths of fields and the
 * wording of validation messages. Depends on nothing but JSON trees.
 */
@NullMarked
package io.plat.apiserver.schema;

import org.jspecify.annotations.NullMarked;
