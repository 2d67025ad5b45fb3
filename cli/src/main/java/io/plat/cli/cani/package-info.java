/**
 * {@code plat can-i}: one question or many, answered yes or no; what somebody may do at all; waiting for an answer. Asks through {@code
 * io.plat.cli.ask} and knows nothing of where answers come from.
 */
@NullMarked
package io.plat.cli.cani;

import org.jspecify.annotations.NullMarked;
