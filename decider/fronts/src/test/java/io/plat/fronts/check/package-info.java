/** Tests of checks for proxies. */
@NullMarked
package io.plat.fronts.check;

import org.jspecify.annotations.NullMarked;
