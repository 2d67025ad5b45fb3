/** apiserver-lite as a process, from the outside. */
@NullMarked
package io.plat.tests.apiserver;

import org.jspecify.annotations.NullMarked;
