/**
 * The command {@code plat can-i}: one request or many, answered yes or no; all rules of a user; waiting for an answer. Uses
 * {@code io.plat.cli.source}, regardless of the source of decisions.
 */
@NullMarked
package io.plat.cli.cani;

import org.jspecify.annotations.NullMarked;
