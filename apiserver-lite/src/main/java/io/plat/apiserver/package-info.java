/**
 * The process: its flags, and what it is made of. The wiring reads as a table of contents of the server; every part is made by
 * a package of its own. Depends on all packages below it; nothing depends on it.
 */
@NullMarked
package io.plat.apiserver;

import org.jspecify.annotations.NullMarked;
