/**
 * The client configuration file: which server to ask, whom to trust and which credential to present.
 *
 * <p>The format is the field's own (specification, "Remote-decision configuration file"). Reading collects every problem with
 * its line; a configuration that exists can be used.
 */
@NullMarked
package io.plat.review.clientconfig;

import org.jspecify.annotations.NullMarked;
