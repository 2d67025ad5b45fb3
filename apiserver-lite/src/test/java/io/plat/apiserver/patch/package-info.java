@NullMarked
package io.plat.apiserver.patch;

import org.jspecify.annotations.NullMarked;
