/**
 * What objects of a type look like: fields, kinds of lists, merge keys, standards. One interface, {@link
 * io.plat.apiserver.schema.TypeSchema}, for the built-in types and for types that others define; patches, apply and validation go by
 * it and know no other description; and the words for a value that is wrong. Depends on nothing but JSON trees.
 */
@NullMarked
package io.plat.apiserver.schema;

import org.jspecify.annotations.NullMarked;
