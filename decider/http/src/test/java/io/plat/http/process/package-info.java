@NullMarked
package io.plat.http.process;

import org.jspecify.annotations.NullMarked;
