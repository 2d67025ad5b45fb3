/**
 * The commands {@code plat why} and {@code plat who-can}: grants of a request, missing attributes, and all subjects with an access. A
 * warning is printed if a part could not be read.
 */
@NullMarked
package io.plat.cli.why;

import org.jspecify.annotations.NullMarked;
