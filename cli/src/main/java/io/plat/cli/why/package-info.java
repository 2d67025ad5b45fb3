/**
 * {@code plat why} and {@code plat who-can}: what a decision goes by, what is missing, and everybody who may do something. What is found
 * is printed as it is; where something could not be looked through, a warning says so.
 */
@NullMarked
package io.plat.cli.why;

import org.jspecify.annotations.NullMarked;
