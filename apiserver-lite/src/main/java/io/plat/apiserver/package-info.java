/**
 * The server process: its flags and its wiring. The wiring reads as a table of contents; each part is implemented in a package of its
 * own. Depends on all other packages; nothing depends on it.
 */
@NullMarked
package io.plat.apiserver;

import org.jspecify.annotations.NullMarked;
