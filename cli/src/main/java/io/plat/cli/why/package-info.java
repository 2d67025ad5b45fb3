/**
 * The commands {@code plat why} and {@code plat who-can}: grants of a request, missing attributes, and all subjects with an access. Findings are
 * printed as they are; if a part could not be read, there is a warning.
 */
@NullMarked
package io.plat.cli.why;

import org.jspecify.annotations.NullMarked;
