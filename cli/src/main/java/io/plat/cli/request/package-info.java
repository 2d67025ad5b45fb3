/** Conversion of command line arguments to the attributes of a review: resource types, verbs, subjects. */
@NullMarked
package io.plat.cli.request;

import org.jspecify.annotations.NullMarked;
