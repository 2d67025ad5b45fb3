/** From the words on the command line to the attributes of a review: resource types, verbs, subjects. */
@NullMarked
package io.plat.cli.question;

import org.jspecify.annotations.NullMarked;
